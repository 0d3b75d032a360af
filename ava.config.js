/** Node strips the types itself. Two files at a time: most tests start processes, and the reference machine has two cores. */
export default {
  extensions: ['ts'],
  files: ['test/**/*.test.ts', '!test/clients/node_modules/**'],
  timeout: '240s',
  concurrency: 2,
  failFast: false,
}
