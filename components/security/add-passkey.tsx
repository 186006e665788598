'use client'

import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { PASSKEY_NAME_MAX, PASSKEYS_MAX } from './bounds'
import { checkPasskeyName } from './check-passkey-name'
import { securityTexts } from './messages'
import { PasskeyPromptError } from './passkey-prompt'
import { StepUpFailure } from './step-up-failure'
import { stepUpTexts } from './step-up-messages'
import { useAddPasskey } from './use-add-passkey'
import { StepUpError } from './use-step-up'

/** Lets the person name and create a passkey. */
export function AddPasskey({ count }: { readonly count: number }) {
  const text = useText(securityTexts).add
  const { addition, stepUpFailure } = useAddPasskey()
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  if (count >= PASSKEYS_MAX) return <Notice tone="info">{text.full}</Notice>
  const shown = typed ?? text.suggestion(count + 1)
  const send = () => {
    const name = shown.trim()
    const wrong = checkPasskeyName(name, text)
    setError(wrong)
    if (wrong === undefined && !addition.isPending) addition.mutate({ name }, { onSuccess: () => setTyped(null) })
  }
  return (
    <Form onSubmit={send} className="grid gap-4">
      <Field label={text.name} hint={text.hint} error={error} className="sm:max-w-sm">
        <Input
          name="passkey-name"
          autoComplete="off"
          maxLength={PASSKEY_NAME_MAX}
          value={shown}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <StepUpFailure failure={stepUpFailure} onRetry={send} />
      <AddFailure error={addition.error} />
      {addition.isSuccess ? (
        <Notice tone="success" role="status">
          {text.done(addition.data)}
        </Notice>
      ) : null}
      <Button type="submit" busy={addition.isPending} className="w-fit">
        {text.button}
      </Button>
    </Form>
  )
}

/** Says why adding failed, except for a step-up, which reports its own failure. */
export function AddFailure({ error }: { readonly error: Error | null }) {
  const { add } = useText(securityTexts)
  const { failure } = useText(stepUpTexts)
  if (error === null || error instanceof StepUpError) return null
  if (!(error instanceof PasskeyPromptError)) return <RequestFailure error={error} />
  return (
    <Notice tone="warning" role="alert">
      {error.reason === 'known' ? add.known : failure[error.reason]}
    </Notice>
  )
}
