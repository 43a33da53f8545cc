/** The sign-in providers of a center or a partner: a new one with what to register there, a new secret, and who loses a way in. */
import type { NewSignInProvider, SignInProvider, SignInProviderChange, SignInProviderCheck } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useChange } from '../../app/change.ts'
import { Confirm } from '../confirm.tsx'
import { Copy } from '../copy.tsx'
import { Part } from '../desk.tsx'
import { useDoneWords } from '../done-words.ts'
import { Empty } from '../empty.tsx'
import { Field } from '../field.tsx'
import { Loaded } from '../loaded.tsx'
import { Time } from '../time.tsx'
import { ProviderCheck } from './provider-check.tsx'
import './providers.css'
import { useProviderWords } from './words.ts'

export interface ProviderCalls {
  readonly of: string
  list(signal: AbortSignal): Promise<readonly SignInProvider[]>
  add(provider: NewSignInProvider): Promise<unknown>
  update(id: string, change: SignInProviderChange): Promise<unknown>
  check(id: string): Promise<SignInProviderCheck>
  remove(id: string): Promise<unknown>
}

type Open = { readonly what: 'add' } | { readonly what: 'change' | 'remove'; readonly provider: SignInProvider }
const names = ['sign-in-providers']

interface Properties {
  readonly calls: ProviderCalls
  readonly canChange: boolean
  /** The page around the list, with the button that adds one. */
  readonly frame: (add: ReactNode, list: ReactNode) => ReactNode
}

export function ProviderList({ calls, canChange, frame }: Properties) {
  const say = useProviderWords()
  const [open, setOpen] = useState<Open | null>(null)
  const done = useDoneWords()
  const remove = useChange<SignInProvider>(names, ({ id }) => calls.remove(id), {
    told: (_, { name }) => done('removed', { name }),
  })
  const found = useQuery({
    queryKey: ['sign-in-providers', calls.of],
    queryFn: ({ signal }) => calls.list(signal),
  })
  const add = canChange && (
    <button type="button" className="btn" onClick={() => setOpen({ what: 'add' })}>
      {say('providerAdd')}
    </button>
  )
  const close = () => setOpen(null)
  const list = (
    <>
      <Loaded query={found} skeletonRows={3}>
        {(providers) =>
          providers.length === 0 ? (
            <Empty title={say('providersNone')}>
              {canChange && <p className="soft">{say('providersNoneNext')}</p>}
            </Empty>
          ) : (
            providers.map((provider) => (
              <Part key={provider.id} title={provider.name}>
                <Facts provider={provider} />
                {canChange && (
                  <>
                    <ProviderCheck check={() => calls.check(provider.id)} />
                    <div className="button-line">
                      <button
                        type="button"
                        className="btn low plain"
                        onClick={() => setOpen({ what: 'change', provider })}
                      >
                        {say('providerChange')}
                      </button>
                      <button
                        type="button"
                        className="btn low plain"
                        onClick={() => setOpen({ what: 'remove', provider })}
                      >
                        {say('providerRemove')}
                      </button>
                    </div>
                  </>
                )}
              </Part>
            ))
          )
        }
      </Loaded>
      {open?.what === 'add' && <NewProvider calls={calls} onClose={close} />}
      {open?.what === 'change' && <ChangeProvider calls={calls} provider={open.provider} onClose={close} />}
      {open?.what === 'remove' && (
        <Confirm
          title={say('providerRemoveTitle', { name: open.provider.name })}
          action={say('providerRemove')}
          onConfirm={() => remove.mutateAsync(open.provider)}
          onClose={close}
        >
          <p>{say('providerRemoveText')}</p>
          <p className="soft">{say('providerRemoveKeeps')}</p>
        </Confirm>
      )}
    </>
  )
  return frame(add, list)
}

function Facts({ provider: { issuer, clientId, redirectUri, updatedAt } }: { readonly provider: SignInProvider }) {
  const say = useProviderWords()
  return (
    <dl className="facts">
      <dt>{say('providerIssuer')}</dt>
      <dd>
        <code className="mono">{issuer}</code>
      </dd>
      <dt>{say('providerClientId')}</dt>
      <dd>
        <code className="mono">{clientId}</code>
      </dd>
      <dt>{say('providerRedirect')}</dt>
      <dd>
        <code className="mono">{redirectUri}</code> <Copy text={redirectUri} what={say('providerRedirect')} />
        <p className="soft small">{say('providerRedirectHint')}</p>
      </dd>
      <dt>{say('providerChangedAt')}</dt>
      <dd>
        <Time at={updatedAt} />
      </dd>
    </dl>
  )
}

interface FormProperties {
  readonly calls: ProviderCalls
  readonly onClose: () => void
}

function NewProvider({ calls, onClose }: FormProperties) {
  const say = useProviderWords()
  const done = useDoneWords()
  const [fields, setFields] = useState({ name: '', issuer: '', clientId: '', clientSecret: '' })
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setFields({ ...fields, [name]: target.value }),
  })
  const isMissing = Object.values(fields).some((value) => value.trim() === '')
  const name = fields.name.trim()
  const add = useChange(
    names,
    () =>
      calls.add({
        ...{ name, issuer: fields.issuer.trim(), clientId: fields.clientId.trim() },
        clientSecret: fields.clientSecret.trim(),
      }),
    { told: () => done('added', { name }) },
  )
  return (
    <Confirm
      title={say('providerAdd')}
      action={say('providerAdd')}
      missing={isMissing ? say('providerMissing') : undefined}
      onConfirm={() => add.mutateAsync()}
      onClose={onClose}
    >
      <div className="provider-form">
        <Field label={say('providerName')} hint={say('providerNameHint')} maxLength={100} {...field('name')} />
        <Field
          label={say('providerIssuer')}
          hint={say('providerIssuerHint')}
          type="url"
          placeholder="https://login.example.com"
          maxLength={1000}
          {...field('issuer')}
        />
        <Field label={say('providerClientId')} maxLength={255} {...field('clientId')} />
        <Field
          label={say('providerSecret')}
          hint={say('providerSecretHint')}
          type="password"
          autoComplete="off"
          maxLength={1000}
          {...field('clientSecret')}
        />
      </div>
      <p className="soft small">{say('providerFixed')}</p>
    </Confirm>
  )
}

function ChangeProvider({ calls, provider, onClose }: FormProperties & { readonly provider: SignInProvider }) {
  const say = useProviderWords()
  const done = useDoneWords()
  const [name, setName] = useState(provider.name)
  const [secret, setSecret] = useState('')
  const written = name.trim()
  const isSame = written === provider.name && secret.trim() === ''
  const save = useChange(
    names,
    () =>
      calls.update(provider.id, {
        ...(written !== provider.name && { name: written }),
        ...(secret.trim() !== '' && { clientSecret: secret.trim() }),
      }),
    { told: () => done('saved', { name: written }) },
  )
  return (
    <Confirm
      title={say('providerChangeTitle', { name: provider.name })}
      action={say('providerSave')}
      missing={written === '' || isSame ? say('providerSame') : undefined}
      onConfirm={() => save.mutateAsync()}
      onClose={onClose}
    >
      <div className="provider-form">
        <Field
          label={say('providerName')}
          maxLength={100}
          data-field="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label={say('providerNewSecret')}
          hint={say('providerNewSecretHint')}
          type="password"
          autoComplete="off"
          maxLength={1000}
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
        />
      </div>
    </Confirm>
  )
}
