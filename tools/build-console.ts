/**
 * `npm run build:console`: makes `apps/console/dist`, unless it was made from the same sources. Processes that start at
 * the same time build it once. `--force` makes it again; `--check` only fails if it is missing or older than its sources.
 */
import { type BuiltFolder, buildFolder, root, runBuild } from './built-folder.ts'

const target: BuiltFolder = {
  name: 'Console',
  command: 'npm run build:console',
  folder: `${root}apps/console/`,
  sources: [
    'apps/console/**/*.{ts,tsx,css,html,js,json}',
    'packages/{design,sdk,proof}/*.{ts,css,json}',
    'packages/words/**/*.{ts,json}',
    'packages/contract/*.ts',
    'package-lock.json',
  ],
  exclude: ['**/node_modules', 'apps/console/dist', '**/test'],
  program: import.meta.filename,
  compressed: { files: '**/*.{js,css,html,svg}', quality: 11 },
}

async function bundle(): Promise<void> {
  const { build } = await import('vite')
  // The approval page alone: it would else share many small files with the console, and a phone would load them one by one.
  for (const [page, manifest] of [
    ['index.html', 'files.json'],
    ['approve.html', 'approve.json'],
  ] as const) {
    await build({
      configFile: `${target.folder}vite.config.ts`,
      logLevel: 'warn',
      mode: 'production',
      build: {
        outDir: `${target.folder}next`,
        emptyOutDir: page === 'index.html',
        manifest,
        rolldownOptions: { input: target.folder + page },
      },
    })
  }
}

/** True: it was built. False: it was there. */
export const buildConsole = (): Promise<boolean> => buildFolder(target)

if (import.meta.main) await runBuild(target, bundle)
