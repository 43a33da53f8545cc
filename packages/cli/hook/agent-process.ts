/**
 * Whether the agent that started this hook is still there. A hook outlives an agent that is killed, and must not use an approval for
 * a call that nobody will run.
 */
import { parentOf } from './ancestors.ts'

/** Ours and our parent's parent: agents start hooks through a shell, which stays when the agent is killed. */
export const ancestry = (): string => `${process.ppid} ${parentOf(process.ppid)}`

const isAlive = (id: number): boolean => {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * `before`: the ancestry when the hook began. `agent`: the agent's process, if it says which one it is: an agent that was killed before
 * the hook began is only noticed by that.
 */
export function watchAgent(before: string, agent: number | null, everyMs: number, onGone: () => void): () => boolean {
  const isGone = () => ancestry() !== before || (agent !== null && !isAlive(agent))
  setInterval(() => {
    if (isGone()) onGone()
  }, everyMs).unref()
  return isGone
}
