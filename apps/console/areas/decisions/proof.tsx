/** The proof of a decision, checked in this browser, and the ways to take it along. */
import type { Decision } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { dpuIdOf } from '../../decision/read.ts'
import { numberText, timeText } from '../../ui/clock.ts'
import { Part } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { later } from '../../ui/later.tsx'
import { checkedQuery, exportQuery, textWithPolicies } from './data.ts'
import { useDecisionsWords } from './words.ts'

const CertificateDialog = later(async () => (await import('./certificate.tsx')).CertificateDialog)

interface Properties {
  readonly decision: Decision
}

function useProof(decision: Decision) {
  const dpuId = dpuIdOf(decision)
  const file = useQuery(exportQuery(dpuId))
  const checked = useQuery({ ...checkedQuery(dpuId, file.data?.text ?? ''), enabled: file.data !== undefined })
  return { dpuId, file, checked }
}

const rows = ['intact', 'inChain', 'signed', 'witnessed'] as const
const glyphs = { yes: '✓', no: '✕', unknown: '○' } as const
const tones = { yes: 'verified', no: 'broken', unknown: 'soft' } as const

export function ProofPart({ decision }: Properties) {
  const say = useDecisionsWords()
  const language = useLanguage()
  const { file, checked } = useProof(decision)
  const { chainIndex, chainHash } = decision.evidence
  const verdict = checked.data?.verdict
  const asides = { intact: chainHash?.slice(7, 15), inChain: numberText(chainIndex ?? 0, language), signed: 'ed25519' }
  return (
    <div id="proof">
      <Part title={say('proof')} aside={checked.data ? say('proofHere', { ms: checked.data.ms }) : say('proofWait')}>
        {(file.error ?? checked.error) && (
          <ErrorPanel error={file.error ?? checked.error} onRetry={() => void file.refetch()} />
        )}
        {verdict && (
          <ul className="decisions-checks">
            {rows.map((row) => {
              const { status } = verdict[row]
              return (
                <li key={row} data-check={row} data-status={status}>
                  <span className={tones[status]} aria-hidden="true">
                    {glyphs[status]}
                  </span>
                  <b>{say(`check${row}`)}</b>
                  <span className={status === 'yes' ? undefined : tones[status]}>{say(`verdict${status}${row}`)}</span>
                  <span className="hash">{row === 'witnessed' ? '' : asides[row]}</span>
                </li>
              )
            })}
            <li>
              <span className="soft" aria-hidden="true">
                ○
              </span>
              <b>{say('right')}</b>
              <span className="soft">{say('rightNot')}</span>
              <span />
            </li>
          </ul>
        )}
        {verdict?.problems.map(({ path, message }) => (
          <p key={`${path} ${message}`} className="broken small">
            <span aria-hidden="true">✕ </span>
            <span className="mono">{path}</span> {message}
          </p>
        ))}
        {verdict && verdict.redacted.length > 0 && (
          <p className="soft small">{say('redactedHere', { count: verdict.redacted.length })}</p>
        )}
      </Part>
    </div>
  )
}

export function ProofAct({ decision }: Properties) {
  const say = useDecisionsWords()
  const { dpuId, file, checked } = useProof(decision)
  const [copied, setCopied] = useState(false)
  const standing = checked.data?.verdict.standing
  const [failed, setFailed] = useState(false)
  const [certifying, setCertifying] = useState(false)
  const { data: certificate } = useQuery({
    queryKey: ['certificate', dpuId, file.dataUpdatedAt, checked.dataUpdatedAt],
    enabled: file.data !== undefined && checked.data !== undefined,
    queryFn: async () => {
      const { certificateOf } = await import('@countersign/proof/certificate.ts')
      if (!file.data || !checked.data) return null
      return certificateOf(file.data.document, checked.data.verdict, {
        address: `${location.origin}/verify`,
        trust: 'server',
        time: (at, inLanguage) => timeText(at, inLanguage, 'long'),
        now: new Date().toISOString(),
      })
    },
  })
  const save = (text: string) => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/ld+json' }))
    link.download = `${dpuId}.jsonld`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  }
  const saveWithPolicies = () => {
    setFailed(false)
    textWithPolicies(dpuId).then(save, () => setFailed(true))
  }
  const namesPolicies = Array.isArray(file.data?.document.evidence.policies)
  const copy = async () => {
    const address = `${location.origin}/verify/${encodeURIComponent(decision.id)}`
    setCopied(
      await navigator.clipboard.writeText(address).then(
        () => true,
        () => false,
      ),
    )
  }
  return (
    <>
      <p className="small" role="status">
        {standing && (
          <b className={standing === 'holds' ? 'verified' : standing === 'altered' ? 'broken' : 'soft'}>
            <span aria-hidden="true">{standing === 'holds' ? '✓ ' : standing === 'altered' ? '✕ ' : '○ '}</span>
            {say(`standing${standing}`)}
          </b>
        )}
      </p>
      <button type="button" className="btn plain" onClick={copy}>
        <span aria-live="polite">{say(copied ? 'copied' : 'copyLink')}</span>
      </button>
      {certificate && (
        <button type="button" className="btn plain" onClick={() => setCertifying(true)}>
          {say('certificate')}
        </button>
      )}
      {certifying && certificate && (
        <CertificateDialog
          certificate={certificate}
          hash={checked.data?.verdict.facts.hash ?? ''}
          onClose={() => setCertifying(false)}
        />
      )}
      {failed && <p role="alert">{say('downloadFailed')}</p>}
      {namesPolicies && (
        <button type="button" className="btn plain" onClick={saveWithPolicies} title={say('downloadPoliciesHint')}>
          {say('downloadPolicies')}
        </button>
      )}
      <button type="button" className="btn" disabled={!file.data} onClick={() => file.data && save(file.data.text)}>
        {say('download')}
      </button>
    </>
  )
}
