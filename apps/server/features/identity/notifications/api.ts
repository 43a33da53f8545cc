/** The API of this feature: what a person wants, for those who send by themselves. */
export { type Settings, untouched, wants, wantsDigest } from './choices.ts'
export { insertDigestItem, storedSettings, takeTold } from './queries.ts'
export { afterQuiet, digestAt } from './times.ts'
