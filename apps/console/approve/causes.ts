/** What the server named as the cause of a refusal, in the words of the console's errors. They come when one is refused. */
import { say } from '@countersign/words/say.ts'
import { causeNames } from '../decision/cause-names.ts'
import type { causes } from '../decision/causes.ts'
import type { Named } from '../decision/decide.ts'
import { spoken, termsSpoken } from './page.ts'

let known: typeof causes | null = null

/** Without them the obstacle has words of its own. */
export async function learnCauses(named: Named | undefined): Promise<void> {
  if (named === undefined || known !== null) return
  known = await import('../decision/causes.ts').then(
    (loaded) => loaded.causes,
    () => null,
  )
}

export function causeText({ code, cause }: Named): string | null {
  if (known === null) return null
  const words = known
  const name = causeNames(code, cause).find((each) => words[spoken()][each] !== undefined)
  if (name === undefined) return null
  const said = (key: string) => say<string>(words, spoken(), key, termsSpoken())
  return `${said(name)} ${said(`${name}.next`)}`
}
