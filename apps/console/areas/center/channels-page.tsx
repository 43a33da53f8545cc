/** Chat channels that hear of waiting decisions: the list, a new one, a test message, the last failure. */
import type { NotificationChannel } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { useCenterWords } from './words.ts'

const kinds = ['slack', 'teams', 'mattermost'] as const
type Kind = (typeof kinds)[number]
/** A test message is sent by a worker: its result is in the list a little later. */
const testedMs = 2000

export function ChannelsPage() {
  const say = useCenterWords()
  const { center } = useParams({ from: '/c/$center/settings/channels' })
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<NotificationChannel | null>(null)
  const done = useDoneWords()
  const [tested, setTested] = useState<Readonly<Record<string, string>>>({})
  const isWaiting = ({ id, lastSentAt }: NotificationChannel) => id in tested && tested[id] === (lastSentAt ?? '')
  const found = useQuery({
    queryKey: ['channels', center],
    queryFn: ({ signal }) => api.notificationChannels.list(center, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isWaiting) ? testedMs : false),
  })
  const test = useChange<NotificationChannel>(
    ['channels'],
    async ({ id, lastSentAt }) => {
      setTested({ ...tested, [id]: lastSentAt ?? '' })
      await api.notificationChannels.test(center, id)
    },
    { told: 'shown' },
  )
  const remove = useChange<NotificationChannel>(['channels'], ({ id }) => api.notificationChannels.remove(center, id), {
    told: (_, { name }) => done('removed', { name }),
  })
  const add = (
    <button type="button" className="btn" onClick={() => setAdding(true)}>
      {say('channelAdd')}
    </button>
  )
  return (
    <SettingsFrame center={center} title={say('channels')} lede={say('channelsLede')} actions={add}>
      <Loaded query={found} skeletonRows={3}>
        {(channels) =>
          channels.length === 0 ? (
            <Empty title={say('channelsNone')}>
              <p className="soft">{say('channelsNoneNext')}</p>
            </Empty>
          ) : (
            <ul className="center-slips">
              {channels.map((channel) => (
                <li key={channel.id}>
                  <div>
                    <b>{channel.name}</b> <span className="soft">{say(`channel_${channel.kind}`)}</span>
                    <p className="soft small">{channel.host}</p>
                    <Last channel={channel} isWaiting={isWaiting(channel)} />
                  </div>
                  <div className="center-moves">
                    <button
                      type="button"
                      className="btn low plain"
                      disabled={test.isPending}
                      onClick={() => test.mutate(channel)}
                    >
                      {say('channelTest')}
                    </button>
                    <button type="button" className="btn low plain" onClick={() => setRemoving(channel)}>
                      {say('channelRemove')}
                    </button>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <ErrorLine error={test.error} />
      {adding && <NewChannel center={center} onClose={() => setAdding(false)} />}
      {removing && (
        <Confirm
          title={say('channelRemoveTitle', { name: removing.name })}
          action={say('channelRemove')}
          onConfirm={() => remove.mutateAsync(removing)}
          onClose={() => setRemoving(null)}
        >
          <p>{say('channelRemoveText')}</p>
        </Confirm>
      )}
    </SettingsFrame>
  )
}

function Last({ channel, isWaiting }: { readonly channel: NotificationChannel; readonly isWaiting: boolean }) {
  const say = useCenterWords()
  const { active, disabledReason, lastSentAt, lastStatus, lastMessage } = channel
  if (isWaiting) return <StatusWord tone="waiting">{say('channelTesting')}</StatusWord>
  return (
    <>
      {!active && (
        <p>
          <StatusWord tone="broken">{say('channelOff')}</StatusWord>
          <span className="small" lang="en">
            {' '}
            {disabledReason}
          </span>
        </p>
      )}
      {lastSentAt === null ? (
        <StatusWord tone="plain">{say('channelUnused')}</StatusWord>
      ) : (
        <>
          <StatusWord tone={lastStatus === 'failed' ? 'broken' : 'verified'}>
            {say(lastStatus === 'failed' ? 'channelFailed' : 'channelSent')}
          </StatusWord>{' '}
          <Time at={lastSentAt} />
        </>
      )}
      {lastStatus === 'failed' && lastMessage && (
        <p className="small" lang="en">
          {lastMessage}
        </p>
      )}
    </>
  )
}

interface NewProperties {
  readonly center: string
  readonly onClose: () => void
}

function NewChannel({ center, onClose }: NewProperties) {
  const say = useCenterWords()
  const done = useDoneWords()
  const [kind, setKind] = useState<Kind>('slack')
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const create = useChange(
    ['channels'],
    () => api.notificationChannels.create(center, { kind, name: name.trim(), url: url.trim() }),
    { told: () => done('added', { name: name.trim() }) },
  )
  return (
    <Confirm
      title={say('channelAdd')}
      action={say('channelAdd')}
      missing={name.trim() === '' || url.trim() === '' ? say('channelMissing') : undefined}
      onConfirm={() => create.mutateAsync()}
      onClose={onClose}
    >
      <div className="center-form">
        <label className="labeled">
          <span className="label">{say('channelKind')}</span>
          <select className="field" value={kind} onChange={({ target }) => setKind(target.value as Kind)}>
            {kinds.map((each) => (
              <option key={each} value={each}>
                {say(`channel_${each}`)}
              </option>
            ))}
          </select>
        </label>
        <Field
          label={say('channelName')}
          placeholder={say('channelNameExample')}
          maxLength={100}
          data-field="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label={say('channelUrl')}
          hint={say(`channelUrl_${kind}`)}
          type="password"
          autoComplete="off"
          maxLength={2048}
          data-field="url"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
      </div>
    </Confirm>
  )
}
