// biome-ignore lint/performance/noBarrelFile: verifiers compare ids in the same form
export { comparableId } from '@countersign/proof/comparable-id.ts'
