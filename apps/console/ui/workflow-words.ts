/** The API names and describes workflows in English and in the words of their vertical. A page says it in its language and in the words of the center; a workflow that it does not know stays as it is. */
import type { Workflow } from '@countersign/sdk'
import en from '@countersign/words/en/workflows.json' with { type: 'json' }
import ko from '@countersign/words/ko/workflows.json' with { type: 'json' }
import { fill } from '@countersign/words/say.ts'
import { type TermValues, termValues } from '@countersign/words/terms.ts'
import { tradeTerms } from '@countersign/words/trades.ts'
import { useLanguage } from '../app/i18n.ts'
import { termsStore } from '../app/terms.ts'
import { useStore } from '../app/use-store.ts'

const texts = { ko: ko.workflows, en: en.workflows }
type Key = keyof typeof en.workflows
const said = (text: string, values: TermValues): string => fill(text, values) ?? text

/** By the name in the API. */
const keys = new Map(
  (Object.keys(en.workflows) as Key[]).map((key) => {
    const [trade] = key.split('.') as [Parameters<typeof tradeTerms>[0]]
    return [said(en.workflows[key].name, termValues(tradeTerms(trade), 'en')), key]
  }),
)

export interface FieldWords {
  /** By the parameter, and by the members of a list's items: those that a person fills in. */
  readonly fields: Readonly<Record<string, string>>
  /** Of a parameter with a few values. */
  readonly choices: Readonly<Record<string, string>>
}

/** In the language of the page and the words of the center. `told` is null for one that runs without being told anything. */
export type WordedWorkflow = Workflow & { readonly told: FieldWords | null }

export function useWorkflowWords(): (workflow: Workflow) => WordedWorkflow {
  const language = useLanguage()
  const values = termValues(useStore(termsStore), language)
  return (workflow) => {
    const key = keys.get(workflow.name)
    if (!key) return { ...workflow, told: null }
    const words = texts[language][key]
    const told = 'fields' in words ? { fields: words.fields, choices: 'choices' in words ? words.choices : {} } : null
    return { ...workflow, name: said(words.name, values), description: said(words.description, values), told }
  }
}
