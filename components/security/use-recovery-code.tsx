'use client'

import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { Notice } from '@/components/ui/notice'
import { AddFailure } from './add-passkey'
import { securityTexts } from './messages'
import { useAddPasskey } from './use-add-passkey'

/** Adds a passkey with a recovery code, for a person who has no passkey to confirm with. */
export function UseRecoveryCode({ count }: { readonly count: number }) {
  const { recovery: text, add } = useText(securityTexts)
  const { addition } = useAddPasskey()
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const submit = () => {
    const typed = code.trim()
    setMissing(typed === '')
    if (typed === '' || addition.isPending) return
    addition.mutate({ name: add.suggestion(count + 1), code: typed }, { onSuccess: () => setCode('') })
  }
  return (
    <Form onSubmit={submit} aria-labelledby="use-code" className="grid gap-4">
      <h3 id="use-code" className="font-semibold">
        {text.lost}
      </h3>
      <p className="max-w-prose text-muted">{text.lostBody}</p>
      <Field label={text.code} error={missing ? text.missing : undefined} className="sm:max-w-sm">
        <Input
          name="recovery-code"
          data-secret
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          dir="ltr"
          className="font-mono"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <AddFailure error={addition.error} />
      {addition.isSuccess ? (
        <Notice tone="success" role="status">
          {add.done(addition.data)}
        </Notice>
      ) : null}
      <Button type="submit" variant="secondary" busy={addition.isPending} className="w-fit">
        {text.use}
      </Button>
    </Form>
  )
}
