/** Every workflow there is. A definition that is taken out stops running; its executions and their units remain. */
import type { Definition } from '../definition.ts'
import { commerce } from './commerce.ts'
import { education } from './education.ts'
import { interior } from './interior.ts'
import { mentoring } from './mentoring.ts'
import { pharmacy } from './pharmacy.ts'
import { rehabilitation } from './rehabilitation.ts'
import { welfare } from './welfare.ts'

export const definitions: readonly Definition[] = [
  ...rehabilitation,
  ...welfare,
  ...education,
  ...pharmacy,
  ...commerce,
  ...mentoring,
  ...interior,
]
