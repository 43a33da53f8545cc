/** Trees that compute nothing: no tree, no signature, no checkpoint and no receipt. */
import type { makeTrees } from '@countersign/server/sealing/trees.ts'

const nothing = { log: '', index: 0, size: 0, inclusionProof: [], checkpoint: '' }

export const noTrees: typeof makeTrees = () => ({
  fault: () => null,
  add() {},
  succeed: () => null,
  close: async () => {},
  sign: async () => [],
  receipt: () => nothing,
  note: () => '',
  checkpoints: [],
  signatures: [],
  tiles: [],
  grown: [],
})
