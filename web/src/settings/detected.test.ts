import { describe, expect, it } from "vitest";
import { guessModel, serverWords } from "./detected";

const models = ["nomic-embed-text", "bge-reranker-v2", "qwen3:8b", "llama3.2:3b"];

describe("detected servers", () => {
  it("guesses a model by what its name says", () => {
    expect(guessModel(models, "chat")).toBe("qwen3:8b");
    expect(guessModel(models, "embedding")).toBe("nomic-embed-text");
    expect(guessModel(models, "rerank")).toBe("bge-reranker-v2");
    expect(guessModel(["qwen3:8b"], "rerank")).toBe("");
  });

  it("counts in words", () => {
    expect(serverWords({ name: "Ollama", base_url: "http://localhost:11434/v1", models: ["a"] })).toBe(
      "Ollama on this machine: 1 model",
    );
  });
});
