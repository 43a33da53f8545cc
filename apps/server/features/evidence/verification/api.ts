/** The API of this feature: what the entries of a chain commit to, for the export of a center. */
export { committedLines } from './committed-lines.ts'
