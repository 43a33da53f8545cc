import { catalog } from '../../app/i18n.ts'
import { en } from './en.ts'
import { ko } from './ko.ts'

export const useDeveloperWords = catalog('developers', ko, en)
export type DeveloperWords = ReturnType<typeof useDeveloperWords>
