/** Who may import whom: every file is held against import-rules.ts, and the rules against planted faults. */
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { NODE_GLOBALS, rules, violations } from './import-rules.ts'
import { importsOf } from './source-tokens.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = globSync(
  '{signer-core,gateway,plugins,policies,cli,scripts,examples,bench,test}/**/*.{ts,mts,js,mjs,cjs}',
  {
    cwd: root,
    exclude: (name) => /(?:^|[/\\])node_modules$|^signer-core[/\\]dist$|^bench[/\\]out$/.test(name),
  },
).map((path) => path.replaceAll(sep, '/'))

test('no file imports or uses what its place may not', (t) => {
  t.true(files.includes('test/architecture/imports.test.ts'))
  t.false(files.some((path) => path.includes('node_modules/') || path.startsWith('signer-core/dist/')))
  const found = files.flatMap((path) => violations(path, readFileSync(root + path, 'utf8')))
  t.deepEqual(found, [])
})

/** For each place: a file in it, what it may import, and what it may not. */
const cases: Record<string, { path: string; good: string[]; bad: string[] }> = {
  'signer-core/protocol/': {
    path: 'signer-core/protocol/activities/a.ts',
    good: ['../bytes.ts', './b.ts'],
    bad: [
      'node:crypto',
      '@noble/curves/p256.js',
      '../../gate/a.ts',
      '../../../policies/a.ts',
      'keystead:engine/engine@0.1.0',
    ],
  },
  'policies/': {
    path: 'policies/a.ts',
    good: ['./b.ts', '../signer-core/protocol/bytes.ts'],
    bad: ['node:fs', 'zod', '../gateway/a.ts', '../signer-core/gate/a.ts'],
  },
  'signer-core/guest/': {
    path: 'signer-core/guest/a.ts',
    good: ['./b.ts', 'keystead:engine/engine@0.1.0'],
    bad: ['../protocol/bytes.ts', 'node:crypto', '@noble/hashes/sha2.js', '../gate/a.ts'],
  },
  'signer-core/gate/': {
    path: 'signer-core/gate/activities/a.ts',
    good: [
      '../b.ts',
      '../../guest/lockdown.ts',
      '../../protocol/bytes.ts',
      '../../../policies/a.ts',
      '@scure/base',
      'keystead:a/b@1',
    ],
    bad: [
      'node:crypto',
      '@noble/curves/p256.js',
      '../../engine-reference/a.ts',
      '../../host/a.ts',
      '../../../gateway/a.ts',
      'zod',
    ],
  },
  'signer-core/engine-reference/': {
    path: 'signer-core/engine-reference/a.ts',
    good: ['./b.ts', '../guest/random.ts', '../protocol/bytes.ts', '@noble/curves/p256.js', '@scure/base'],
    bad: ['node:crypto', '../gate/a.ts', '../../policies/a.ts', 'canonicalize'],
  },
  'signer-core/host/': {
    path: 'signer-core/host/a.ts',
    good: ['./signer.js', '../protocol/bytes.ts', 'node:crypto'],
    bad: ['../gate/a.ts', '../engine-reference/a.ts', '../launcher/a.ts', 'pino', '@noble/hashes/sha2.js'],
  },
  'signer-core/launcher/': {
    path: 'signer-core/launcher/a.ts',
    good: ['./b.ts', '../protocol/frames.ts', 'node:net'],
    bad: ['../host/a.ts', '../gate/a.ts', '../../gateway/a.ts', 'pino'],
  },
  'signer-core/build/': {
    path: 'signer-core/build/a.ts',
    good: ['./b.ts', 'node:fs', 'esbuild', '@bytecodealliance/jco'],
    bad: ['../host/a.ts', '../protocol/bytes.ts', '../../gateway/a.ts'],
  },
  'gateway/': {
    path: 'gateway/http/a.ts',
    good: [
      '../config.ts',
      '../../signer-core/protocol/bytes.ts',
      '../../policies/a.ts',
      'node:http',
      'koa',
      '@koa/router',
    ],
    bad: ['../../signer-core/host/a.ts', '../../signer-core/gate/a.ts', '../../plugins/relay/a.ts', '../../cli/a.ts'],
  },
  'gateway/plugins.ts': {
    path: 'gateway/plugins.ts',
    good: ['./plugin-api.ts', '../plugins/relay/relay.ts'],
    bad: ['../signer-core/launcher/a.ts', '../cli/a.ts'],
  },
  'plugins/*/': {
    path: 'plugins/relay/jobs/a.ts',
    good: ['../relay.ts', '../../../gateway/plugin-api.ts', 'viem', 'zod'],
    bad: [
      '../../x402/a.ts',
      '../../a.ts',
      '../../../gateway/config.ts',
      '../../../signer-core/protocol/bytes.ts',
      'node:fs',
    ],
  },
  'plugins/contracts/': {
    path: 'plugins/contracts/a.ts',
    good: ['./b.ts', 'node:fs', 'solc'],
    bad: ['../x402/a.ts', '../../gateway/plugin-api.ts', '../../cli/a.ts'],
  },
  'cli/': {
    path: 'cli/a.ts',
    good: [
      './b.ts',
      '../gateway/main.ts',
      '../policies/policy.ts',
      '../signer-core/protocol/bytes.ts',
      'node:path',
      'yaml',
    ],
    bad: ['../signer-core/host/a.ts', '../signer-core/launcher/a.ts', '../plugins/relay/a.ts'],
  },
  'examples/': {
    path: 'examples/a/b.ts',
    good: ['./c.ts', '../../plugins/x402/seller/seller.ts', 'node:fs', 'koa'],
    bad: ['../../plugins/x402/plugin.ts', '../../gateway/config.ts', '../../signer-core/protocol/bytes.ts'],
  },
  'cli/verify-log.ts': {
    path: 'cli/verify-log.ts',
    good: ['node:crypto', 'node:fs'],
    bad: ['./child.ts', '../signer-core/protocol/bytes.ts', '../gateway/config.ts', 'yaml'],
  },
  'scripts/': { path: 'scripts/a.mjs', good: ['./b.mjs', 'node:fs'], bad: ['zod', '../gateway/a.ts'] },
  'bench/': { path: 'bench/a.ts', good: ['../gateway/a.ts', '../test/a.ts', '../signer-core/host/a.ts'], bad: [] },
  'test/': { path: 'test/a/b.ts', good: ['../../gateway/a.ts', '../../plugins/relay/a.ts', 'ava'], bad: [] },
}

test('every rule has its cases', (t) => {
  t.deepEqual(
    Object.keys(cases),
    rules.map(({ place }) => place),
  )
})

for (const [place, { path, good, bad }] of Object.entries(cases)) {
  test(`${place}: what is allowed passes, what is planted is caught`, (t) => {
    const importing = (specifier: string): string[] => violations(path, `import type { A } from '${specifier}'\n`)
    for (const specifier of good) t.deepEqual(importing(specifier), [], specifier)
    const mayImportAll = place === 'test/' || place === 'bench/'
    const up = '../'.repeat(path.split('/').length - 1)
    for (const specifier of mayImportAll ? [] : [...bad, `${up}test/a.ts`, `${up}bench/a.ts`, `${up}${up}outside.ts`]) {
      t.is(importing(specifier).length, 1, specifier)
    }
  })
}

for (const { place, guest } of rules) {
  const { path } = cases[place] as { path: string }
  test(`${place}: globals of Node are ${guest === true ? 'caught' : 'not looked for'}`, (t) => {
    for (const name of NODE_GLOBALS) {
      const uses = [
        `const a = ${name}.b`,
        `${name}(1)`,
        `globalThis.${name}`,
        `globalThis?.${name}`,
        'const a = `${' + name + '}`',
      ]
      for (const source of uses) t.is(violations(path, source).length, guest === true ? 1 : 0, source)
      const others = [
        `a.${name}`,
        `const a = { ${name}: 1 }`,
        `// ${name}`,
        `const a = '${name}'`,
        'const a = `' + name + '`',
      ]
      for (const source of others) t.deepEqual(violations(path, source), [], source)
    }
  })
}

test('a file outside every place is a violation', (t) => {
  t.deepEqual(violations('elsewhere/a.ts', ''), ['elsewhere/a.ts: no rule says what it may import'])
  t.is(violations('plugins/a.ts', '').length, 1)
})

test('imports are found in every form, and only where they are', (t) => {
  const source = `
    import a from 'one'; import 'two'
    import {
      b, // from 'comment'
    } from "three"
    export * from 'four'
    export type { C } from 'five'
    const d = await import('six')
    type E = import('seven').E
    const f = \`\${await import('eight')} import 'no'\`
    const g = /'/.test("import 'no'") ? require('nine') : x.import('no')
    const h = 1 / 2 // import 'no'
    /* import 'no' */ const i = await import(somewhere)
    const from = ['no']; const j = { from: 'no' }
    import k from 'ten' with { type: 'json' }
  `
  const expected = 'one two three four five six seven eight nine (computed) ten'
  t.deepEqual(importsOf(source), expected.split(' '))
})
