/** `npm run serve`: one gateway, in this process. Needs a launcher on the same data folder, and its organizations. */
export async function serve(): Promise<void> {
  await import('../gateway/main.ts')
}

if (import.meta.main) await serve()
