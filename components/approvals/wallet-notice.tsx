'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { walletTexts } from './wallet-messages'

interface WalletNoticeProps {
  readonly words: { readonly title: string; readonly body: string }
  /** Absent where trying again cannot help. */
  readonly onRetry?: () => void
}

/** Says why the wallet app did not approve. */
export function WalletNotice({ words, onRetry }: WalletNoticeProps) {
  const text = useText(walletTexts)
  const retry =
    onRetry === undefined ? null : (
      <Button variant="secondary" size="sm" onClick={onRetry}>
        {text.again}
      </Button>
    )
  return (
    <Notice tone="danger" role="alert" title={words.title} action={retry ?? undefined}>
      {words.body}
    </Notice>
  )
}

/** Returns the words for an approval that was changed or decided elsewhere; null for other refusals. */
export function wordsForRefusal(text: TextOf<typeof walletTexts>, code: string | null) {
  return code === 'conflict' ? text.changed : null
}
