//! The examples of all functions run.

use crate::fixture::Home;

#[tokio::test]
async fn every_example_runs() {
    let home = Home::chain().await;
    let functions = home.engine.catalog().await.unwrap().functions;
    let ours = functions.iter().filter(|function| function.example.starts_with("select"));
    let (mut ran, mut failures) = (0, String::new());
    for function in ours {
        let job = home.run(&function.example).await;
        ran += 1;
        if let Some(error) = job.error {
            failures += &format!("\n{}: {}\n    {}", function.name, function.example, error.message);
        }
        assert!(function.signature.starts_with(&function.name) || !function.doc.is_empty(), "{}", function.name);
    }
    assert!(ran > 100, "only {ran} examples were found");
    assert!(failures.is_empty(), "{failures}");
}
