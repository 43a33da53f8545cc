/**
 * `npm run build:docs`: makes `apps/docs/dist`, the documentation that the server has at /docs, unless it was made from
 * the same sources. `--force` and `--check` as for the console.
 */
import { type BuiltFolder, buildFolder, root, runBuild } from './built-folder.ts'

const target: BuiltFolder = {
  name: 'Docs',
  command: 'npm run build:docs',
  folder: `${root}apps/docs/`,
  sources: [
    'docs/**/*.{md,json,svg,webp}',
    'apps/docs/**/*.{ts,astro,css,svg}',
    '{deploy,deploy/{observability,helm/countersign},packages/{gateway,sdk,mcp,witness}}/README.md',
    'packages/contract/*.{ts,json}',
    'packages/cli/help.ts',
    'packages/{gateway,witness,mcp}/main.ts',
    'packages/sdk/errors.ts',
    'packages/design/{tokens.css,mark.ts,drawing.ts}',
    'apps/server/{bin.ts,operator/commands.ts}',
    'package-lock.json',
  ],
  exclude: ['**/node_modules', 'apps/docs/{dist,next,.astro}', '**/test'],
  program: import.meta.filename,
  compressed: { files: '**/*.{js,css,html,svg,json}', quality: 5 },
  kept: true,
}

async function bundle(): Promise<void> {
  const { buildSite } = await import('../apps/docs/build.ts')
  await buildSite()
}

/** True: it was built. False: it was there. */
export const buildDocs = (options: { readonly signal?: AbortSignal } = {}): Promise<boolean> =>
  buildFolder(target, options)

if (import.meta.main) await runBuild(target, bundle)
