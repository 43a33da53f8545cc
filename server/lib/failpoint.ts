/** Places where a test may have the process killed, to see what a crash there leaves behind. Never in production. */
let armed: string | null = null

export const armFailpoint = (name: string | null): void => {
  armed = name
}

export function failpoint(name: string): void {
  if (armed === name) process.kill(process.pid, 'SIGKILL')
}
