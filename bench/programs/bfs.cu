// Breadth-first search with a thread for every vertex in every step, on a skewed graph: R-MAT
// (Chakrabarti et al., SIAM Data Mining 2004) with the probabilities of Graph500, 20,000 vertices
// and 200,000 directed edges from a fixed seed.
#include <algorithm>
#include <queue>
#include <random>
#include <utility>

#include "check.h"

constexpr int kVertices = 20000, kEdges = 200000, kUnreached = -1;

__global__ void step(const int* first, const int* target, int* depth, int current, int* changed) {
  const int vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= kVertices || depth[vertex] != current) return;
  for (int edge = first[vertex]; edge < first[vertex + 1]; ++edge) {
    const int neighbour = target[edge];
    if (depth[neighbour] == kUnreached) {
      depth[neighbour] = current + 1;
      *changed = 1;
    }
  }
}

static std::pair<int, int> random_edge(std::mt19937& random) {
  constexpr double kA = 0.57, kB = 0.19, kC = 0.19;
  int from = 0, to = 0;
  for (int bit = 0; bit < 15; ++bit) {  // of 32,768 vertices; the caller rejects those out of range
    const double p = random() / 4294967296.0;
    from = 2 * from + (p >= kA + kB);
    to = 2 * to + ((p >= kA && p < kA + kB) || p >= kA + kB + kC);
  }
  return {from, to};
}

static std::vector<std::pair<int, int>> random_edges() {
  std::mt19937 random(1);
  std::vector<std::pair<int, int>> edges;
  while (edges.size() < kEdges) {
    const std::pair<int, int> edge = random_edge(random);
    if (edge.first < kVertices && edge.second < kVertices) edges.push_back(edge);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

static std::vector<int> reference(const std::vector<int>& first, const std::vector<int>& target,
                                  int source) {
  std::vector<int> depth(kVertices, kUnreached);
  std::queue<int> queue;
  depth[source] = 0;
  queue.push(source);
  for (; !queue.empty(); queue.pop()) {
    const int vertex = queue.front();
    for (int edge = first[vertex]; edge < first[vertex + 1]; ++edge) {
      if (depth[target[edge]] != kUnreached) continue;
      depth[target[edge]] = depth[vertex] + 1;
      queue.push(target[edge]);
    }
  }
  return depth;
}

int main() {
  std::vector<int> first(kVertices + 1), target;
  for (const auto& edge : random_edges()) {
    ++first[edge.first + 1];
    target.push_back(edge.second);
  }
  int source = 0;  // the vertex with the most edges
  for (int v = 1; v < kVertices; ++v) {
    if (first[v + 1] > first[source + 1]) source = v;
  }
  for (int v = 0; v < kVertices; ++v) first[v + 1] += first[v];
  std::vector<int> depth(kVertices, kUnreached);
  depth[source] = 0;
  const int* device_first = device_copy(first);
  const int* device_target = device_copy(target);
  int* device_depth = device_copy(depth);
  int* device_changed = device_copy(std::vector<int>(1));
  const int threads = 256;
  int changed = 1;
  for (int current = 0; changed != 0; ++current) {
    check(cudaMemset(device_changed, 0, sizeof(int)));
    step<<<(kVertices + threads - 1) / threads, threads>>>(device_first, device_target,
                                                           device_depth, current, device_changed);
    check(cudaGetLastError());
    changed = host_copy(device_changed, 1)[0];
  }
  return report("bfs", host_copy(device_depth, kVertices) == reference(first, target, source));
}
