/** The queue of the partner and of the operator: passkeys of sole administrators, each with its number. */
import type { SoleAdminPasskey } from '@countersign/sdk'
import { useState } from 'react'
import { type Outside, useSoleAdmins } from '../app/waiting-passkeys.ts'
import { CheckPasskey } from './check-passkey.tsx'
import { Desk, Sheet, useTitle } from './desk.tsx'
import { Empty } from './empty.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { useNarrow } from './narrow.ts'
import { SheetHead } from './sheet-head.tsx'
import { Skeleton } from './skeleton.tsx'
import { Time } from './time.tsx'
import { useUiWords } from './words.ts'

interface Properties {
  readonly as: Outside
  readonly confirm: (passkey: SoleAdminPasskey) => Promise<unknown>
}

export function SoleAdmins({ as, confirm }: Properties) {
  const say = useUiWords()
  const narrow = useNarrow()
  const { data, error, refetch } = useSoleAdmins(as)
  const [wanted, setWanted] = useState<string | null>(null)
  const nameOf = ({ centerId, id }: SoleAdminPasskey) => `${centerId} ${id}`
  const chosen = data?.find((each) => nameOf(each) === wanted) ?? (narrow ? undefined : data?.[0])
  useTitle(say('soleTitle'))
  const list = (
    <>
      <div className="tray-head">
        <div>
          <h1>{say('soleTitle')}</h1>
          <p className="soft small">{say('soleLede')}</p>
        </div>
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={3} />}
      {data?.length === 0 && <Empty title={say('soleNone')}>{say('soleNoneText')}</Empty>}
      {data?.map((each) => (
        <button
          key={nameOf(each)}
          type="button"
          className="item"
          aria-current={each === chosen ? 'true' : undefined}
          onClick={() => setWanted(nameOf(each))}
        >
          <b>{each.name}</b>
          <span className="when">
            <Time at={each.boundAt} />
          </span>
          <span className="sub">{each.centerName}</span>
        </button>
      ))}
    </>
  )
  return (
    <Desk
      list={list}
      listLabel={say('soleTitle')}
      sheet={
        chosen && (
          <Sheet label={chosen.name}>
            <SheetHead name={chosen.name} back={say('soleTitle')} onBack={() => setWanted(null)}>
              <span className="soft small">{chosen.email}</span>
            </SheetHead>
            <p>
              {say('soleOf', { center: chosen.centerName })} <span className="mono soft">{chosen.centerDomain}</span>
            </p>
            {as === 'operator' && chosen.partnerName !== null && (
              <p className="soft small">{say('solePartner', { partner: chosen.partnerName })}</p>
            )}
            <CheckPasskey key={nameOf(chosen)} passkey={chosen} confirm={() => confirm(chosen)} />
          </Sheet>
        )
      }
    />
  )
}
