/** What telling people of decisions needs. */
import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import type { Directory } from '../../../data/directory.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import type { Mail } from '../../../mail/mail.ts'
import type { Push } from '../../identity/push/api.ts'

export interface TellNeeds {
  readonly config: Pick<Config, 'authUrl'>
  readonly directory: Directory
  readonly log: Logger
  readonly mail: Mail
  readonly push: Pick<Push, 'queue'>
  readonly jobs: Pick<Jobs, 'wake'>
}
