import type { Page } from '@playwright/test'

/** The beginning of what a person types into the only field of the stand-in to have the bank ask on its own page. */
export const ON_BANK_PAGE = 'bank-page:'
export const CARD_FIELD = 'Card'

/**
 * Replaces https://js.stripe.com, which tests cannot reach: the few calls that the pages make, with a plain field
 * instead of frames. It calls api.stripe.com as the real script does.
 */
const SCRIPT = `
  window.Stripe = (key) => {
    const confirm = async (kind, secret, form) => {
      const address = 'https://api.stripe.com/v1/' + kind + '/' + secret.split('_secret_')[0] + '/confirm'
      const body = new URLSearchParams({ key, client_secret: secret, ...form })
      const answer = await fetch(address, { method: 'POST', body })
      const object = await answer.json()
      return answer.ok ? { object } : { error: object.error }
    }
    return {
      elements: ({ clientSecret }) => {
        const field = document.createElement('input')
        field.setAttribute('aria-label', ${JSON.stringify(CARD_FIELD)})
        const listeners = {}
        const element = {
          on: (event, listener) => { listeners[event] = listener },
          mount: (box) => { box.append(field); setTimeout(() => listeners.ready()) },
          destroy: () => field.remove(),
        }
        return { clientSecret, field, create: () => element, update: () => {} }
      },
      confirmSetup: async ({ elements, confirmParams }) => {
        const [, onBankPage, card] = /^(${ON_BANK_PAGE})?(.*)$/.exec(elements.field.value)
        const { object, error } = await confirm('setup_intents', elements.clientSecret, { payment_method: card })
        if (error) return { error }
        if (onBankPage === undefined) return { setupIntent: object }
        const back = new URL(confirmParams.return_url)
        back.searchParams.set('setup_intent', object.id)
        back.searchParams.set('setup_intent_client_secret', elements.clientSecret)
        back.searchParams.set('redirect_status', 'succeeded')
        location.assign(back)
        return new Promise(() => {})
      },
      confirmCardPayment: async (secret, form) => {
        const { object, error } = await confirm('payment_intents', secret, form)
        return error ? { error } : { paymentIntent: object }
      },
    }
  }
`

/** Loads the stand-in into the page, and redirects its calls to the API at `apiBase`. */
export async function standInForStripe(page: Page, apiBase: string): Promise<void> {
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  )
  await page.route('https://api.stripe.com/**', async (route) => {
    const request = route.request()
    const form = new URLSearchParams(request.postData() ?? '')
    const authorization = `Bearer ${form.get('key')}`
    form.delete('key')
    const { pathname } = new URL(request.url())
    const answer = await fetch(apiBase + pathname, { method: request.method(), headers: { authorization }, body: form })
    await route.fulfill({
      status: answer.status,
      contentType: 'application/json',
      headers: { 'access-control-allow-origin': '*' },
      body: await answer.text(),
    })
  })
}
