import { catalog } from '../../app/i18n.ts'
import { en } from './en.ts'
import { ko } from './ko.ts'

export const useNewCenterWords = catalog('new-center', ko, en)
