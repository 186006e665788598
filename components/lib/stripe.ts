import type { Appearance, Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'

/** Loads Stripe's browser script in the reader's language, at the first call; null when it cannot be loaded. */
export async function openStripe(publishableKey: string): Promise<Stripe | null> {
  const locale = document.documentElement.lang === 'de' ? 'de' : 'en'
  try {
    return await loadStripe(publishableKey, { locale })
  } catch {
    return null
  }
}

/** Returns our design tokens as colours for Stripe's frames, since custom properties do not reach into a frame. */
export function stripeAppearance(): Appearance {
  const probe = document.createElement('span')
  document.body.append(probe)
  const color = (token: string): string => {
    probe.style.color = `var(--color-${token})`
    return getComputedStyle(probe).color
  }
  const { fontFamily } = getComputedStyle(document.body)
  const variables = {
    colorPrimary: color('accent'),
    colorBackground: color('surface'),
    colorText: color('ink'),
    colorTextSecondary: color('muted'),
    colorTextPlaceholder: color('muted'),
    colorDanger: color('danger'),
    fontFamily,
    fontSizeBase: '16px',
    borderRadius: '10px',
  }
  const border = `1px solid ${color('control')}`
  probe.remove()
  return { theme: 'flat', variables, rules: { '.Input': { border, backgroundColor: variables.colorBackground } } }
}
