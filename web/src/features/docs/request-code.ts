// A request to the developer API in the languages that people write.

export const codeLanguages = ['curl', 'JavaScript', 'Python', 'Rust'] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

/** What the highlighter calls each. */
export const paintOf: Readonly<Record<CodeLanguage, string>> = { curl: 'bash', JavaScript: 'js', Python: 'python', Rust: 'rust' };

/** Code that asks for an address with the key in `QUARRY_KEY`. */
export function requestCode(language: CodeLanguage, url: string): string {
  switch (language) {
    case 'curl':
      return `curl -H "X-Api-Key: $QUARRY_KEY" \\\n  "${url}"`;
    case 'JavaScript':
      return `const answer = await fetch(
  "${url}",
  { headers: { "X-Api-Key": process.env.QUARRY_KEY } },
);
if (!answer.ok) throw new Error((await answer.json()).msg);
const points = await answer.json();`;
    case 'Python':
      return `import os
import requests

answer = requests.get(
    "${url}",
    headers={"X-Api-Key": os.environ["QUARRY_KEY"]},
    timeout=30,
)
answer.raise_for_status()
points = answer.json()`;
    case 'Rust':
      return `let points: serde_json::Value = reqwest::Client::new()
    .get("${url}")
    .header("X-Api-Key", std::env::var("QUARRY_KEY")?)
    .send()
    .await?
    .error_for_status()?
    .json()
    .await?;`;
  }
}
