/** DBOS, installed once into a cache: another engine, for a comparison and for an example. */
import { npmPackages } from '../interop/installed.ts'

export const dbosVersion = '5.3.0'

export const dbosPackages = (): Promise<string> =>
  npmPackages('dbos', [`@dbos-inc/dbos-sdk@${dbosVersion}`], { sdk: `export { DBOS } from '@dbos-inc/dbos-sdk'\n` })
