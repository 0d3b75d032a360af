import { build } from 'esbuild'

/** One module for QuickJS: no host globals, only WIT imports left. */
export async function bundleGuest(entryPath: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entryPath],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    mainFields: ['module', 'main'],
    external: ['keystead:*'],
    charset: 'utf8',
  })
  return textOf(outputFiles)
}

/** The signer host as one file, so that its sandbox needs no other source. */
export async function bundleHost(entryPath: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entryPath],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    external: ['./signer.js'],
  })
  return textOf(outputFiles)
}

function textOf(files: { text: string }[]): string {
  const [only] = files
  if (only === undefined || files.length !== 1) throw new Error('a bundle must be one file')
  return only.text
}
