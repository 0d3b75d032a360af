/** Takes databases away for seconds and minutes: by hand, `npm run test:outages`. */
const outages = process.env.KEYSTEAD_TEST_OUTAGES === '1' ? [] : ['!test/fault/distributed-*.test.ts']

/** Node strips the types itself. Two files at a time: most tests start processes, and the reference machine has two cores. */
export default {
  extensions: ['ts'],
  files: ['test/**/*.test.ts', '!test/clients/node_modules/**', ...outages],
  timeout: '240s',
  concurrency: 2,
  failFast: false,
}
