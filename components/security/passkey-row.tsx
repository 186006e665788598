'use client'

import { KeyRound, RefreshCw } from 'lucide-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { PasskeyView } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Ago, Moment } from '@/components/ui/moment'
import { Notice } from '@/components/ui/notice'
import { securityTexts } from './messages'
import { RemovePasskey } from './remove-passkey'
import { RenamePasskey } from './rename-passkey'

interface PasskeyRowProps {
  readonly passkey: PasskeyView
  readonly last: boolean
  /** Why the passkey cannot be removed, in words; null when it can. */
  readonly kept: string | null
  readonly onRemoved: () => void
}

/** Shows a passkey: its name, its last use, and the controls that rename or remove it. */
export function PasskeyRow({ passkey, last, kept, onRemoved }: PasskeyRowProps) {
  const [doing, setDoing] = useState<'rename' | 'remove' | null>(null)
  const renameButton = useRef<HTMLButtonElement>(null)
  const [renamed, setRenamed] = useState(0)
  // The field replaced the button that opened it, so the focus goes back to the button.
  useEffect(() => {
    if (renamed > 0) renameButton.current?.focus()
  }, [renamed])
  const stopRenaming = () => {
    setDoing(null)
    setRenamed(renamed + 1)
  }
  return (
    <li className="grid gap-3 px-5 py-4">
      {doing === 'rename' ? (
        <RenamePasskey passkey={passkey} onDone={stopRenaming} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <PasskeyFacts passkey={passkey} />
          <PasskeyButtons passkey={passkey} renameButton={renameButton} onDo={setDoing} />
        </div>
      )}
      {doing === 'remove' && kept !== null ? (
        <Notice tone="warning" role="alert">
          {kept}
        </Notice>
      ) : null}
      <RemovePasskey
        passkey={passkey}
        last={last}
        open={doing === 'remove' && kept === null}
        onOpenChange={(open) => setDoing(open ? 'remove' : null)}
        onRemoved={onRemoved}
      />
    </li>
  )
}

function PasskeyFacts({ passkey }: { readonly passkey: PasskeyView }) {
  const text = useText(securityTexts).passkeys
  return (
    <div className="flex min-w-0 gap-3">
      <KeyRound aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
      <div className="grid min-w-0 gap-1">
        <bdi className="wrap-anywhere font-medium">{passkey.name}</bdi>
        <p className="text-sm text-muted">
          {text.created} <Moment at={passkey.created_at} style="date" /> ·{' '}
          {passkey.last_used_at === null ? (
            text.unused
          ) : (
            <>
              {text.used}: <Ago at={passkey.last_used_at} />
            </>
          )}
        </p>
        {passkey.synced ? <Badge icon={RefreshCw}>{text.synced}</Badge> : null}
      </div>
    </div>
  )
}

interface PasskeyButtonsProps {
  readonly passkey: PasskeyView
  readonly renameButton: Ref<HTMLButtonElement>
  readonly onDo: (what: 'rename' | 'remove') => void
}

function PasskeyButtons({ passkey: { name }, renameButton, onDo }: PasskeyButtonsProps) {
  const text = useText(securityTexts).passkeys
  return (
    <div className="flex flex-wrap gap-2 max-sm:ps-8">
      <Button
        ref={renameButton}
        variant="secondary"
        size="sm"
        aria-label={text.renameOf(name)}
        onClick={() => onDo('rename')}
      >
        {text.rename}
      </Button>
      <Button variant="quietDanger" size="sm" aria-label={text.removeOf(name)} onClick={() => onDo('remove')}>
        {text.remove}
      </Button>
    </div>
  )
}
