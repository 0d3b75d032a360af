/** Every path that a README names exists. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { missingPaths } from './readme-paths.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const readmes = globSync(
  '{README.md,{signer-core,gateway,plugins,policies,cli,scripts,examples,bench,test}/**/README.md}',
  {
    cwd: root,
    exclude: (name) => /(?:^|[/\\])node_modules$/.test(name),
  },
)

test('every path that a README names exists', (t) => {
  const missing = readmes.flatMap((readme) =>
    missingPaths(root, readme, readFileSync(join(root, readme), 'utf8')).map((path) => `${readme}: ${path}`),
  )
  t.deepEqual(missing, [])
})

test('paths that exist pass, from the root and from beside the README', (t) => {
  const text = '`gateway/store/` `gateway/store/store.ts` `scripts/link-node.mjs` `.ci/run` `test/**/readme.test.ts`'
  t.deepEqual(missingPaths(root, 'README.md', text), [])
  t.deepEqual(missingPaths(root, 'gateway/README.md', '`store/store.ts` `gateway/store/store.ts` `store/`'), [])
})

test('paths that do not exist are caught', (t) => {
  const planted = [
    'gateway/store/moved.ts',
    'docs/guide.md',
    'signer-core/component',
    'plugins/*/none.ts',
    'docs/',
    'test/nothing/',
  ]
  t.deepEqual(missingPaths(root, 'README.md', planted.map((path) => `see \`${path}\`,`).join('\n')), planted)
})

test('what is no path, or made by running, is left alone', (t) => {
  const text =
    '`application/json` `and/or` `/public/v1/relay` `@noble/curves` `https://a.example/b.json` `npm run lint` `package.json`\n' +
    '`plugins/<one>/` `data/dev.json` `signer-core/dist/signer.js` `KEYSTEAD_PORT`\n```\ngateway/none.ts `gateway/none.ts`\n```\n'
  t.deepEqual(missingPaths(root, 'README.md', text), [])
})
