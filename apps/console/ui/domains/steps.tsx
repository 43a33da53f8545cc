/** What to put into the DNS for a domain, and what the last check found of each record and of the certificate. */
import type { Domain } from '@countersign/sdk'
import type { ReactNode } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { Copy } from '../copy.tsx'
import { StatusWord, type Tone } from '../status-word.tsx'
import { useDomainWords } from './words.ts'

interface StepProperties {
  readonly title: string
  readonly text: string
  readonly record?: { readonly type: string; readonly name: string; readonly value: string }
  readonly tone: Tone
  readonly found: string
}

function Step({ title, text, record, tone, found }: StepProperties) {
  const say = useDomainWords()
  return (
    <li>
      <h4>{title}</h4>
      <p className="soft">{text}</p>
      {record && (
        <dl className="facts">
          <dt>{say('recordType')}</dt>
          <dd className="mono">{record.type}</dd>
          <dt>{say('recordName')}</dt>
          <dd>
            <span className="mono">{record.name}</span> <Copy text={record.name} what={say('recordName')} />
          </dd>
          <dt>{say('recordValue')}</dt>
          <dd>
            <span className="mono">{record.value}</span> <Copy text={record.value} what={say('recordValue')} />
          </dd>
        </dl>
      )}
      <p>
        <StatusWord tone={tone}>{found}</StatusWord>
      </p>
    </li>
  )
}

const dayOf = (at: string | null, language: string): string =>
  at === null ? '' : new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(at))

export function DomainSteps({ domain, children }: { readonly domain: Domain; readonly children?: ReactNode }) {
  const say = useDomainWords()
  const language = useLanguage()
  const { record, lastCheck, status, site, sender, checkedAt } = domain
  const own =
    status === 'proven' && lastCheck === null ? 'present' : (lastCheck ?? (checkedAt === null ? 'unknown' : 'absent'))
  const address = site?.address
  const certificate = site?.certificate
  return (
    <ol className="domain-steps">
      <Step
        title={say('stepOwn')}
        text={say('stepOwnText')}
        record={record}
        tone={own === 'present' ? 'verified' : 'waiting'}
        found={say(`check${own}`)}
      />
      {site && (
        <>
          <Step
            title={say('stepLeads')}
            text={say('stepLeadsText')}
            record={site.record}
            tone={address?.state === 'right' ? 'verified' : address?.state === 'elsewhere' ? 'broken' : 'waiting'}
            found={address ? say(`address${address.state}`, { found: address.found.join(', ') }) : say('checkunknown')}
          />
          <Step
            title={say('stepCertificate')}
            text={say('stepCertificateText')}
            tone={certificate?.state === 'valid' ? 'verified' : certificate?.state === 'expired' ? 'broken' : 'waiting'}
            found={say(`certificate${certificate?.state ?? 'unchecked'}`, {
              until: dayOf(certificate?.validUntil ?? null, language),
              issuer: certificate?.issuer ?? say('none'),
            })}
          />
        </>
      )}
      {sender && (
        <Step
          title={say('stepSender')}
          text={say('stepSenderText', { include: sender.include })}
          record={sender.record}
          tone={sender.state === 'right' ? 'verified' : 'waiting'}
          found={sender.state ? say(`sender${sender.state}`, { include: sender.include }) : say('checkunknown')}
        />
      )}
      {children}
    </ol>
  )
}
