'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { PasskeyView } from '@/components/lib/api-types'
import { RenameForm } from '@/components/ui/rename-form'
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
  const rename = useMutation(
    trpc.security.rename.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries()
        onDone()
      },
    }),
  )
  return (
    <RenameForm
      label={text.renameOf(passkey.name)}
      name={passkey.name}
      maxLength={PASSKEY_NAME_MAX}
      check={(name) => checkPasskeyName(name, add)}
      change={rename}
      onSave={(name) => rename.mutate({ id: passkey.id, name })}
      onCancel={onDone}
      words={text}
    />
  )
}
