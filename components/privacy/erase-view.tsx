'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { signOut, useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useSignedInAs } from '@/components/layout/use-signed-in-as'
import type { PrivacyView } from '@/components/lib/api-types'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useConfirmed } from '@/components/security/use-confirmed'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { PageHeader } from '@/components/ui/page-header'
import { keptTexts } from './kept-messages'
import { StoredKinds } from './stored-kinds'

const ERASED_PATH = '/erased'

/** Says what an erasure removes and what remains, and erases after the person has typed and confirmed it. */
export function EraseView({ view }: { readonly view: PrivacyView }) {
  const text = useText(keptTexts).erase
  const { kinds, principal } = view
  useSignedInAs(principal.id)
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        back={{ href: '/settings/privacy', label: text.back }}
      />
      <Part title={text.goes} body={text.goesAtOnce} kinds={kinds.filter(({ erasure }) => erasure === 'deleted')} />
      <Part title={text.emptied} kinds={kinds.filter(({ erasure }) => erasure === 'emptied')} />
      <Part title={text.stays} body={text.finish} kinds={kinds.filter(({ erasure }) => erasure === 'kept')} />
      <EraseForm principal={principal} />
    </>
  )
}

interface PartProps extends Pick<PrivacyView, 'kinds'> {
  readonly title: string
  readonly body?: string
}

function Part({ title, body, kinds }: PartProps) {
  return (
    <section className="grid gap-3">
      <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
      {body === undefined ? null : <p>{body}</p>}
      <StoredKinds kinds={kinds} />
    </section>
  )
}

function EraseForm({ principal }: Pick<PrivacyView, 'principal'>) {
  const text = useText(keptTexts).erase
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const { run, busy, failure } = useErasure()
  const { wanted, label } = questionFor(principal, text.field)
  const send = () => {
    const isSame = typed.trim().toLowerCase() === wanted.trim().toLowerCase()
    setError(isSame ? undefined : text.wrong)
    if (isSame) run()
  }
  return (
    <Form onSubmit={send} className="grid gap-4 border-t border-line pt-6">
      <Field label={label} error={error}>
        <Input
          autoComplete="off"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setError(undefined)
          }}
        />
      </Field>
      <p className="text-sm text-muted">{text.confirm}</p>
      <StepUpFailure failure={failure} onRetry={send} />
      <Button type="submit" variant="danger" className="w-fit" busy={busy}>
        {text.button}
      </Button>
    </Form>
  )
}

interface Labels {
  readonly email: (address: string) => string
  readonly name: (name: string) => string
  readonly id: (id: string) => string
}

/** Returns what the person types to name the wallet that will be erased. */
function questionFor({ id, email, display_name: name }: PrivacyView['principal'], labels: Labels) {
  if (email !== null) return { wanted: email, label: labels.email(email) }
  if (name !== null) return { wanted: name, label: labels.name(name) }
  return { wanted: id, label: labels.id(id) }
}

/**
 * Erases the person, whose session ends with that: nothing is read again, the browser's cookie is removed, and the page
 * is left. The button stays busy until then.
 */
function useErasure() {
  const trpc = useTRPC()
  const { mutateAsync: erase } = useMutation(trpc.privacy.erase.mutationOptions())
  return useConfirmed({
    action: { purpose: 'security.relax', subject: { erased: { from: false, to: true } } },
    send: (proof) => erase({ proof }),
    onSuccess: async () => {
      await signOut()
      window.location.assign(ERASED_PATH)
      return new Promise(() => undefined)
    },
  })
}
