/** The program of one attempt that is killed. */
export interface KilledScene {
  readonly url: string
  readonly key: string
  readonly policy: string
  readonly center: number
  readonly agentId: string
  readonly runId: string
  readonly won: number
}

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export const programOf = (name: string, scene: KilledScene): Program => ({
  command: process.execPath,
  args: [new URL('one-attempt.process.ts', import.meta.url).pathname],
  env: { SCENE: JSON.stringify({ name, ...scene }) },
})
