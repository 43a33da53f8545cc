/**
 * `npm run build`: each published package, as users install it, in its `dist/`.
 *
 * Inside the repository Node runs the TypeScript sources. It refuses to strip types below `node_modules`, so what is
 * published is JavaScript with type declarations, in the same layout as the sources. The sources are published too, in
 * `src/`: the declaration maps lead editors to them. The words that a package says are copied into it.
 */
import { execFile } from 'node:child_process'
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { promisify } from 'node:util'

const root = new URL('../', import.meta.url).pathname
const exec = promisify(execFile)

/** In this order: each compiles against the built declarations of those before it, as it does once installed. */
export const publishedPackages = ['contract', 'proof', 'sdk', 'cli', 'witness', 'mcp', 'gateway'] as const
export const distOf = (name: string): string => `${root}packages/${name}/dist`

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly keywords: readonly string[]
  /** What it was tried on, where that is more than what runs the repository. */
  readonly engines?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly imports?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>
}

const readJson = async <T>(file: string): Promise<T> => JSON.parse(await readFile(`${root}${file}`, 'utf8')) as T

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

const built = (file: string): string => file.replace(/\.ts$/, '.js')

/** `./*.ts` is for the workspace only: an installed package exports its index, its commands and the files that it names. */
function publishedExports(exports: Readonly<Record<string, string>>): Record<string, unknown> {
  const promised = Object.entries(exports).filter(([subpath]) => subpath !== './*.ts')
  return {
    ...Object.fromEntries(
      promised.map(([subpath, file]) => [
        subpath,
        file.endsWith('.ts') ? { types: file.replace(/\.ts$/, '.d.ts'), default: built(file) } : file,
      ]),
    ),
    './package.json': './package.json',
  }
}

function publishedManifest(manifest: Manifest, root: Root) {
  const { name, version, description, keywords, engines, bin, imports, exports, ...packages } = manifest
  const { dependencies, peerDependencies, peerDependenciesMeta } = packages
  const directory = name.replace('@countersign/', 'packages/')
  return {
    name,
    version,
    description,
    keywords,
    license: root.license,
    homepage: root.homepage,
    repository: { ...root.repository, directory },
    type: 'module',
    engines: engines ?? root.engines,
    publishConfig: { access: 'public' },
    files: ['*.js', '*.d.ts', '*.d.ts.map', '*.json', 'words', 'src', 'agents', 'hook'],
    ...(bin && { bin: mapValues(bin, (file) => built(file).replace('./', '')) }),
    ...(imports && { imports: mapValues(imports, (conditions) => mapValues(conditions, built)) }),
    exports: publishedExports(exports ?? {}),
    ...(dependencies && { dependencies }),
    ...(peerDependencies && { peerDependencies }),
    ...(peerDependenciesMeta && { peerDependenciesMeta }),
  }
}

interface Root {
  readonly license: string
  readonly homepage: string
  readonly repository: Readonly<Record<string, string>>
  readonly engines: Readonly<Record<string, string>>
}

const compilerOptions = {
  noEmit: false,
  // What Node 20 has: a newer builtin doesn't compile.
  target: 'es2023',
  lib: ['es2023', 'es2024.string'],
  rootDir: 'src',
  outDir: '.',
  declaration: true,
  declarationMap: true,
  rewriteRelativeImportExtensions: true,
  allowImportingTsExtensions: false,
  paths: {
    '@countersign/contract': [`${distOf('contract')}/index.d.ts`],
    '@countersign/proof': [`${distOf('proof')}/index.d.ts`],
    '@countersign/proof/making': [`${distOf('proof')}/making.d.ts`],
    '@countersign/sdk': [`${distOf('sdk')}/index.d.ts`],
    '@countersign/sdk/guard': [`${distOf('sdk')}/guard.d.ts`],
    '@countersign/sdk/receipts': [`${distOf('sdk')}/receipts.d.ts`],
  },
}

const notPublished = ['dist/**', 'test/**', 'node_modules/**']

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** JSON becomes a module: not every bundler of users reads the other. */
async function withOwnWords(source: string, into: string, file: string): Promise<string> {
  const imports = /'@countersign\/words\/([\w/-]+)\.(ts|json)'( with \{ type: 'json' \})?/g
  for (const [, path, kind] of source.matchAll(imports)) {
    const text = await readFile(`${root}packages/words/${path}.${kind}`, 'utf8')
    await put(`${into}/words/${path}.ts`, kind === 'json' ? `export default ${text}` : text)
    if (kind === 'ts')
      for (const beside of ['nouns', 'particles'])
        await cp(`${root}packages/words/${beside}.ts`, `${into}/words/${beside}.ts`)
  }
  const folder = relative(dirname(file), 'words')
  return source.replaceAll(imports, (_, path: string) => `'${folder.startsWith('.') ? '' : './'}${folder}/${path}.ts'`)
}

async function build(name: string): Promise<void> {
  const from = `${root}packages/${name}`
  const dist = distOf(name)
  await rm(dist, { recursive: true, force: true })
  for await (const file of glob(['**/*.ts', 'examples.json'], { cwd: from, exclude: notPublished })) {
    await put(`${dist}/src/${file}`, await withOwnWords(await readFile(`${from}/${file}`, 'utf8'), `${dist}/src`, file))
  }
  const manifest = await readJson<Manifest>(`packages/${name}/package.json`)
  for (const file of Object.values(manifest.exports ?? {})) {
    if (file.endsWith('.json')) await cp(`${from}/${file}`, `${dist}/${file}`)
  }
  await cp(`${from}/README.md`, `${dist}/README.md`)
  await cp(`${root}LICENSE`, `${dist}/LICENSE`)
  const published = publishedManifest(manifest, await readJson<Root>('package.json'))
  await writeFile(`${dist}/package.json`, `${JSON.stringify(published, null, 2)}\n`)
  const project = `${dist}/tsconfig.json`
  await writeFile(
    project,
    JSON.stringify({ extends: `${root}tsconfig.json`, compilerOptions, include: ['src'], exclude: [] }),
  )
  await exec(`${root}node_modules/.bin/tsc`, ['-p', project])
  await rm(project)
}

export async function buildPackages(names: readonly string[] = publishedPackages): Promise<void> {
  for (const name of publishedPackages) if (names.includes(name)) await build(name)
}

if (import.meta.main) {
  try {
    await buildPackages()
    process.stdout.write(`${publishedPackages.map((name) => `packages/${name}/dist\n`).join('')}`)
  } catch (error) {
    const { stdout, message } = error as { stdout?: string; message: string }
    process.stderr.write(`The packages were not built: ${stdout || message}\n`)
    process.exitCode = 1
  }
}
