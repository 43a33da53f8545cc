/** For an image: deletes the files of the font packages that no server serves. Fails if one that is served is missing. */
import { accessSync, globSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fontFiles } from './fonts.ts'

const served = new Set([...fontFiles().values()].map((file) => fileURLToPath(file)))
for (const file of served) accessSync(file)
const packages = new Set([...served].map((file) => file.replace(/(node_modules\/(?:@[^/]+\/)?[^/]+)\/.*/, '$1')))
for (const folder of packages) {
  for (const file of globSync(`${folder}/**/*.{woff,woff2,otf,ttf}`)) if (!served.has(file)) rmSync(file)
}
process.stdout.write(`${served.size} font files stay\n`)
