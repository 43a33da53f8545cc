/** The API names and describes workflows in English. A Korean page says it in Korean; a workflow that it does not know stays as it is. */
import type { Workflow } from '@countersign/sdk'
import en from '@countersign/words/en/workflows.json' with { type: 'json' }
import ko from '@countersign/words/ko/workflows.json' with { type: 'json' }
import { useLanguage } from '../../app/i18n.ts'

type Key = keyof typeof en.workflows

const keys = Object.keys(en.workflows) as Key[]
const keyOf = ({ name }: Workflow): Key | undefined =>
  keys.find((each) => en.workflows[each].name === name || ko.workflows[each].name === name)

export function useWorkflowWords(): (workflow: Workflow) => Workflow {
  const language = useLanguage()
  return (workflow) => {
    const key = keyOf(workflow)
    if (language === 'en' || !key) return workflow
    const { name, description } = ko.workflows[key]
    return { ...workflow, name, description }
  }
}

export interface FieldWords {
  /** By the parameter, and by the members of a list's items: those that a person fills in. */
  readonly fields: Readonly<Record<string, string>>
  /** Of a parameter with a few values. */
  readonly choices: Readonly<Record<string, string>>
}

/** Null for a workflow that runs without being told anything. */
export function useFieldWords(workflow: Workflow): FieldWords | null {
  const language = useLanguage()
  const key = keyOf(workflow)
  const words = key && (language === 'ko' ? ko : en).workflows[key]
  if (!words || !('fields' in words)) return null
  return { fields: words.fields, choices: 'choices' in words ? words.choices : {} }
}
