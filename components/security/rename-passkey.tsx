'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { PasskeyView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { RequestFailure } from '@/components/ui/request-failure'
import { PASSKEY_NAME_MAX } from './bounds'
import { checkPasskeyName } from './check-passkey-name'
import { securityTexts } from './messages'

interface RenamePasskeyProps {
  readonly passkey: PasskeyView
  readonly onDone: () => void
}

/** Edits the name in place of the row. */
export function RenamePasskey({ passkey, onDone }: RenamePasskeyProps) {
  const { passkeys: text, add } = useText(securityTexts)
  const trpc = useTRPC()
  const queries = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(passkey.name)
  useEffect(() => field.current?.focus(), [])
  const rename = useMutation(
    trpc.security.rename.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries()
        onDone()
      },
    }),
  )
  const wrong = checkPasskeyName(name, add)
  const submit = () => {
    if (wrong === undefined && !rename.isPending) rename.mutate({ id: passkey.id, name })
  }
  return (
    <Form onSubmit={submit} className="grid gap-3">
      <Field label={text.renameOf(passkey.name)} error={wrong} className="sm:max-w-sm">
        <Input
          ref={field}
          autoComplete="off"
          maxLength={PASSKEY_NAME_MAX}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {rename.isError ? <RequestFailure error={rename.error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" busy={rename.isPending}>
          {text.save}
        </Button>
        <Button variant="secondary" size="sm" onClick={onDone}>
          {text.cancel}
        </Button>
      </div>
    </Form>
  )
}
