'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { plainName } from '@/components/lib/plain-text'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { RequestFailure } from '@/components/ui/request-failure'
import { GIVEN_NAME_MAX } from '@/server/surfaces/agents/input'
import { checkName } from './check-name'
import { agentsTexts } from './messages'

interface RenameAgentProps {
  readonly clientId: string
  readonly ownName: string
  readonly givenName: string | null
  readonly onDone: () => void
}

/** Edits the agent's given name; an empty one restores the name that the agent registered. */
export function RenameAgent({ clientId, ownName, givenName, onDone }: RenameAgentProps) {
  const { rename: text, new: words } = useText(agentsTexts)
  const trpc = useTRPC()
  const queries = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(givenName ?? '')
  useEffect(() => field.current?.focus(), [])
  const rename = useMutation(
    trpc.agents.rename.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries()
        onDone()
      },
    }),
  )
  const wrong = checkName(name.trim(), GIVEN_NAME_MAX, words)
  const submit = () => {
    if (wrong === undefined && !rename.isPending) rename.mutate({ client_id: clientId, name: name.trim() })
  }
  return (
    <Form onSubmit={submit} className="grid w-full gap-3">
      <Field label={text.label} hint={text.hint(plainName(ownName))} error={wrong} className="sm:max-w-sm">
        <Input ref={field} autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
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
