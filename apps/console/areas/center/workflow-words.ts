/** The API names and describes workflows in English. A Korean page says it in Korean; a workflow that it does not know stays as it is. */
import type { Workflow } from '@countersign/sdk'
import en from '@countersign/words/en/workflows.json' with { type: 'json' }
import ko from '@countersign/words/ko/workflows.json' with { type: 'json' }
import { useLanguage } from '../../app/i18n.ts'

const keys = Object.keys(en.workflows) as (keyof typeof en.workflows)[]

export function useWorkflowWords(): (workflow: Workflow) => Workflow {
  const language = useLanguage()
  return (workflow) => {
    const key = keys.find((each) => en.workflows[each].name === workflow.name)
    if (language === 'en' || !key) return workflow
    const { name, description } = ko.workflows[key]
    return { ...workflow, name, description }
  }
}
