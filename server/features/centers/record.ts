/** The door of this feature: a center as others answer with it. */
import type { Center } from '@countersign/contract/centers.ts'
import type { Static } from 'typebox'
import type { DirectoryTx } from '../../data/directory.ts'
import { centerOf } from './center.ts'
import { ownCenter } from './queries.ts'

export const readCenter = async (tx: DirectoryTx): Promise<Static<typeof Center>> => centerOf(await ownCenter(tx))
