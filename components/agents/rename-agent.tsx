'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { plainName } from '@/components/lib/plain-text'
import { RenameForm } from '@/components/ui/rename-form'
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
  const rename = useMutation(
    trpc.agents.rename.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries()
        onDone()
      },
    }),
  )
  return (
    <RenameForm
      label={text.label}
      hint={text.hint(plainName(ownName))}
      name={givenName ?? ''}
      check={(name) => checkName(name.trim(), GIVEN_NAME_MAX, words)}
      change={rename}
      onSave={(name) => rename.mutate({ client_id: clientId, name: name.trim() })}
      onCancel={onDone}
      words={text}
    />
  )
}
