/** Action types of the service itself. Pure. */
import { comparableId } from '../lib/comparable-id.ts'

/** Compared as policies compare types, so that no spelling passes for one of ours. */
export const isReservedType = (type: string): boolean => comparableId(type).startsWith('countersign.')
