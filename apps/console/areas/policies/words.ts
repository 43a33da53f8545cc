import { catalog } from '../../app/i18n.ts'
import { en } from './en.ts'
import { ko } from './ko.ts'

export const usePolicyWords = catalog('policies', ko, en)
export type PolicyWords = ReturnType<typeof usePolicyWords>
