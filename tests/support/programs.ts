/** Programs of the system that a test needs. A test fails where one is missing, and its message names the package. */
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

/** Where the program is. System administration programs are often not on the path of users. */
export function programIn(name: string, debianPackage: string): string {
  for (const folder of [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']) {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return join(folder, name)
    } catch {
      // Not in this folder.
    }
  }
  throw new Error(`${name} is missing. Install it (Debian: apt-get install ${debianPackage}).`)
}
