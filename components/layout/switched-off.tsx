import { readText } from '@/components/i18n/read-text'
import { Notice } from '@/components/ui/notice'
import { type layoutText, layoutTexts } from './messages'

interface SwitchedOffProps {
  readonly name: keyof typeof layoutText.switchedOff
}

/** Says which feature the operator has switched off. */
export async function SwitchedOff({ name }: SwitchedOffProps) {
  const layoutText = await readText(layoutTexts)
  const { title, body } = layoutText.switchedOff[name]
  return (
    <Notice tone="warning" title={title}>
      {body}
    </Notice>
  )
}
