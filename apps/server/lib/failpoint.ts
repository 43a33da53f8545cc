/**
 * Places where a test may have the process killed (`FAILPOINT=name`), to see what a crash there leaves behind, or the
 * work fail (`FAILPOINT=fail:name`). Never in production.
 */
let armed: string | null = null

export const armFailpoint = (name: string | null): void => {
  armed = name
}

export function failpoint(name: string): void {
  if (armed === null) return
  if (armed === name) process.kill(process.pid, 'SIGKILL')
  if (armed === `fail:${name}`) throw new Error(`failpoint ${name}`)
}
