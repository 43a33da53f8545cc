/** What identifies a call, as digests: the files of the hook hold no inputs. */
import { hash } from 'node:crypto'
import type { ToolCall } from './agent.ts'

/** The same for the same values, in whatever order their members come. */
const stable = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(stable)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, each]) => [name, stable(each)])
      : value

export const digestOf = (...parts: readonly unknown[]): string => hash('sha256', JSON.stringify(stable(parts)), 'hex')

/** Known without looking at the repository, which the call itself may change. */
export const ownName = ({ callId, cwd, tool, input }: ToolCall): string => callId ?? digestOf(cwd, tool, input)
