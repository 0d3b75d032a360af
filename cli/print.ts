/** The result of a command, for people and for other programs: JSON on stdout. */
export function print(result: object): void {
  console.log(JSON.stringify(result, null, 2))
}
