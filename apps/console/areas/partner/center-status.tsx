import type { Center } from '@countersign/sdk'
import { StatusWord } from '../../ui/status-word.tsx'
import { usePartnerWords } from './words.ts'

const tones = { ACTIVE: 'verified', SUSPENDED: 'broken', INACTIVE: 'plain' } as const

export function CenterStatus({ status }: Pick<Center, 'status'>) {
  const say = usePartnerWords()
  return <StatusWord tone={tones[status]}>{say(`status${status}`)}</StatusWord>
}
